"""What people watch and look at: bars that move, tables in notebooks."""
