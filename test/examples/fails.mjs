// An application that says nothing and fails.
process.exitCode = 1
