"""Lesson 00: From symbols to solver in one sitting."""
