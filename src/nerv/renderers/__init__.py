"""A scorecard for people: terminal text, one HTML page, two scorecards side by side."""
