"""From estimates candidates to a choice: constraints, offers, objective, frontier, reasons and why-not."""
