"""A plan is notes with an order: what depends on what, what is done, what can start now, and how a step is checked."""

from .steps import Plan, PlanCycle, Step, plan_of

__all__ = ["Plan", "PlanCycle", "Step", "plan_of"]
