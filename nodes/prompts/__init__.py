"""The texts of the prompt, one short Markdown file per section and language."""
