"""Player processes: what they do, how they are started, given tasks, watched and ended."""
