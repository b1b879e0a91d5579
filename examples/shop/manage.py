"""Commands for development and cron."""

import click
from flask.cli import FlaskGroup

from shop import create_app
from shop.extensions import db
from shop.services import exports, reports
from shop.tasks import cleanup, reminders


@click.group(cls=FlaskGroup, create_app=create_app)
def cli():
    """Tin Lantern."""


@cli.command("create-db")
def create_db():
    """Create all tables."""
    db.create_all()
    click.echo("tables created")


@cli.command("nightly")
def nightly():
    """Everything cron runs at night."""
    click.echo(f"{cleanup.drop_old_carts()} carts dropped")
    click.echo(f"{reminders.remind_unpaid()} reminders sent")


@cli.command("monthly-report")
@click.argument("month")
def monthly_report(month):
    """Print the figures of a month, e.g. 2024-05."""
    for row in reports.monthly_figures(month):
        click.echo("\t".join(str(cell) for cell in row))


@cli.command("export-orders")
@click.argument("path")
def export_orders(path):
    """Write all orders for the accountant."""
    with open(path, "w", encoding="utf-8", newline="") as target:
        click.echo(f"{exports.write_orders(target)} orders written")


if __name__ == "__main__":
    cli()
