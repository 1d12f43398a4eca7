#!/bin/sh
# A bot in plain POSIX shell: it plays its lowest legal card and leaves everything else to the table.
#
# Every message is one line. The table writes "legal" as the first list, in ascending order, so the
# first card behind it is the lowest one and no JSON tool is needed. docs/protocol.md has the rest.

while IFS= read -r line; do
    case $line in
    '{"type":"hello",'*)
        echo '{"type":"hello","protocol":1,"name":"lowest"}'
        ;;
    '{"type":"choose_card",'*)
        id=${line#*'"id":'}
        card=${line#*'"legal":["'}
        echo "{\"id\":${id%%,*},\"card\":\"${card%%'"'*}\"}"
        ;;
    '{"type":"goodbye"'*)
        exit 0
        ;;
    esac
done
