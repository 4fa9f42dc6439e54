import { testCases } from './test-cases.ts'

// A file of its own, because its processes wait for a minute, in which they do nothing.
testCases('slow')
