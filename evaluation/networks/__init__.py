"""Neural models of the evaluation: the only modules of this room that import torch.

A module with a `Network` is one model. `network` and `encoder` fit them with the one loop of
`training`; `evaluation.models_by_name` imports them when they are asked for.
"""
