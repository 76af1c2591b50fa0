"""What a process and its threads hold beside arrays: flags, memory, switches."""
