"""Models that answer over the OpenAI chat protocol, on servers that the operator names.

`chat` has requests, replies and the ledger that keeps replies; `config` reads the operator's file;
`client` sends requests. No module imports Django.
"""
