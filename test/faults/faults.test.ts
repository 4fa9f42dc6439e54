import { expect, it } from 'vitest'
import { ALL_CASES } from './all-cases.ts'
import { isProof, PROOFS, testCases } from './test-cases.ts'

testCases('proofs')

it('each proof is one of the cases', () => {
  expect(ALL_CASES.filter(isProof)).toHaveLength(Object.values(PROOFS).flat().length)
})
