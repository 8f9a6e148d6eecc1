"""Fine-tuning of an encoder: `python -m benchmarks.evaluation.encoder [--device cuda]`.

The encoder has the size of BERT base and random weights, which cost as much as trained ones. The
reference is a bare loop over the same batches, which lie on the device already: forward, loss and
backward, without an optimizer, progress, or scores of dev. Needs no more packages than torch,
transformers and snowballstemmer.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
import transformers as hf
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from benchmarks.table import Figure, at_least, render
from evaluation.contract import silent
from evaluation.data import Pairs
from evaluation.networks import encoder, training
from support.model_pairs import word_swaps

# The share of the bare loop's rate that is to be reached on a GPU.
RATE = at_least(0.7, of_ratio=True)
DEV = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.evaluation.encoder", description=__doc__)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--pairs", type=int, default=3200, help="to train on; default: 3,200")
    parser.add_argument("--epochs", type=int, default=2)
    options = parser.parse_args()
    train, dev = (word_swaps(int(options.pairs * share), seed=2) for share in (1, DEV))
    settings = training.Settings(epochs=options.epochs, batch=32, rate=2e-5, device=options.device)
    with _base_encoder(train) as folder:
        print(render(list(_figures(folder, train, dev, settings))))


def _figures(
    folder: Path, train: Pairs, dev: Pairs, settings: training.Settings
) -> Iterator[Figure]:
    model = encoder.EncoderModel("encoder:base", folder, settings)
    module, encode = model.load()
    examples, dev_examples = encode(train), encode(dev)
    tokens = examples.lengths.mean()
    print(f"{sum(p.numel() for p in module.parameters()):,} parameters, {tokens:.0f} tokens a pair")

    def fine_tuned(epochs: int) -> Callable[[], None]:
        epoch_settings = training.Settings(
            epochs=epochs, batch=32, rate=2e-5, device=settings.device
        )
        return lambda: training.train(
            module, examples, dev_examples, epoch_settings, seed=1, tell=silent
        )

    with training.reproducible(settings, seed=1):
        bare = _bare_loop(module, examples, settings)
        bare()  # warms up
        rates = [_rate(examples, 1, bare)]
        rate = _rate(examples, settings.epochs, fine_tuned(settings.epochs))
        rates.append(_rate(examples, 1, bare))
    goal = RATE if settings.device != "cpu" else None
    yield Figure("fine-tuning", rate, "pairs/s", float(np.mean(rates)), goal)
    began = time.perf_counter()
    first, second = (model.fit(train, dev, seed=1).scores(dev) for _ in range(2))
    yield Figure("a whole fit", (time.perf_counter() - began) / 2, "s")
    yield Figure("same scores again", float((first == second).all()), goal=at_least(1))


def _rate(examples: training.Examples, epochs: int, run: Callable[[], None]) -> float:
    _wait()
    began = time.perf_counter()
    run()
    _wait()
    return epochs * len(examples.rows) / (time.perf_counter() - began)


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _bare_loop(
    module: Any, examples: training.Examples, settings: training.Settings
) -> Callable[[], None]:
    module.to(settings.device).train()
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    order = np.random.default_rng(1).permutation(len(examples.rows))
    batches = []
    for places in examples.batches(settings.batch, order):
        labels = torch.from_numpy(examples.labels[places]).float().to(settings.device)
        batches.append(([tensor.to(settings.device) for tensor in examples.inputs(places)], labels))

    def loop() -> None:
        for inputs, labels in batches:
            module.zero_grad()
            loss_of(module(*inputs), labels).backward()

    return loop


@contextmanager
def _base_encoder(pairs: Pairs) -> Iterator[Path]:
    """A folder with a tokeniser for the words of pairs, and a BERT of the usual size."""
    words = sorted({word for text in (*pairs.first, *pairs.second) for word in text.split()})
    special = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
    }
    number_of_word = {word: number for number, word in enumerate([*special.values(), *words])}
    tokens = Tokenizer(models.WordLevel(number_of_word, unk_token=special["unk_token"]))
    tokens.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer = hf.PreTrainedTokenizerFast(tokenizer_object=tokens, **special)
    torch.manual_seed(1)
    with TemporaryDirectory() as folder:
        hf.BertModel(hf.BertConfig()).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        yield Path(folder)


if __name__ == "__main__":
    main()
