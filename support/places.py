"""Where this checkout is, and the sentences that studies are made of."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEMONSTRATION = ROOT / "operations" / "demonstration" / "sentences.jsonl"
