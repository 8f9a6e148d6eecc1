"""Forty lines of flashcards: 29 definitions, two of them again, and nine that are refused."""

DEFINITIONS = {
    "stack": [
        "A pile of values of which the newest leaves first.",
        "A structure with push and pop at one end only.",
        "Last in, first out storage.",
        "It remembers where functions return to.",
        "The place for local variables of a running program.",
        "A list that is used from the top alone.",
    ],
    "queue": [
        "A line in which the oldest element leaves first.",
        "First in, first out storage.",
        "Elements enter behind and leave in front.",
        "It holds jobs until a printer is free.",
        "A buffer between a producer and a consumer.",
        "Waiting things in the order of their arrival.",
    ],
    "virtual machine(s)": [
        "A computer that exists in software only.",
        "A guest system on top of a host.",
        "An imitation of hardware that runs programs.",
        "It executes bytecode in place of a processor.",
        "A sandboxed computer within a computer.",
        "An emulated machine with its own disk and memory.",
    ],
    "Virtual Machine": [
        "Software that behaves like a whole computer.",
        "One of several systems that share a server.",
        "A program that runs other operating systems.",
        "It can be copied as a file.",
        "A machine without metal of its own.",
    ],
    "heap": [
        "A tree whose parents are never smaller than their children.",
        "Memory from which programs take blocks at any time.",
    ],
    "Stacks": [
        "Piles of values, each with a top.",
        "Several structures of push and pop.",
        "Columns of frames, one for each thread.",
        "Lists that only grow and shrink at one end.",
    ],
}
LONG = " ".join(["word"] * 31)
CARDS = [
    *(
        f"{entity}\t{text}\t{'s1' if (entity, number) == ('stack', 0) else ''}"
        for entity, texts in DEFINITIONS.items()
        for number, text in enumerate(texts)
    ),
    "stack\tLast in, first out storage.\t",
    "queue\t  First in, first out storage.  \t",
    "stack\t \t",
    "\tSomething without a name.\t",
    "stack\tPile\t",
    f"stack\t{LONG}\t",
    "tree\tA graph without cycles.\t",
    "heap\tA guest system on top of a host.\t",
    "stack\tСтопка значений с одним концом.\t",
    f"{'s' * 201}\tToo long a name.\t",
    "stack\tA line with too few cells.",
]
