"""Widgets bound to a calculator and its pictures, one for each text."""
