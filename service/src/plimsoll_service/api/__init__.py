"""HTTP and nothing else: parse, call, render. One file a resource."""
