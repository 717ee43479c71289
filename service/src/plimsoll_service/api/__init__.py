"""HTTP only: parse, call, render. A file for each resource."""
