"""Extensions without an application; `create_app` binds them."""

from flask_sqlalchemy import SQLAlchemy

db = SQLAlchemy()
