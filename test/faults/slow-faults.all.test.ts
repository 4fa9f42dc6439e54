import { testCases } from './test-cases.ts'

// A file of its own, because one of its cases takes ten minutes, in which it does nothing.
testCases('slow')
