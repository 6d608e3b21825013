"""How fast Fieldlog is: every figure beside a floor that was measured in the same run. See docs/performance.md."""
