"""With what: files, shell, stores, models, clock. One door per outside thing."""
