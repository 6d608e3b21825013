"""Tests of the services, from outside where that is possible.

The folders are those of `services`: what a part promises is tried in the folder of its name, over HTTP or not.
What tests of several folders share lies here.
"""
