"""Choice of hardware for a job: from all that is offered to a few ranked options, and what is said of them.

``recommend`` answers a query, ``evaluate`` a question about named machines (``named_hardware``). In the order of work:

- what the user has, measured and left open: ``own_machines``, ``beside_cards``, ``measured_runs``, ``anchoring``,
  ``understood``; what of it cannot be: ``stated_faults``;
- ``selection``: ``constraints`` and ``software`` leave ``candidates``, ``estimating`` sizes them, ``priced_options``
  prices them in a ``market`` (``pricing_agreements``, ``staging``), ``options`` joins both, ``limits`` are applied;
- ``ranking``: ``scores``, and ``first_places`` where another than the best score comes first (``listed``,
  ``simpler_first``);
- ``present``: figures (``details``, ``nameplates``, ``shown_estimates``, ``rounding``), reasons (``notes``,
  ``input_notes``, ``work_notes``, ``charged``, ``comparing``, ``advice``), warnings (``warning_notes``), options
  beside the first (``near_misses``, ``engines``);
- ``relax``: what to loosen where no option is left, found by ``loosening``.

``kept`` holds what questions share.
"""
