"""The same tasks on the machines of a Dask cluster."""
