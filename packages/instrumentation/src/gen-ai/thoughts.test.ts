import { expect, it } from 'vitest'
import { splitThoughts } from './thoughts.ts'

const found = { thoughts: 'Hm.', answer: 'Yes.' }

it.each([
  ['between tags', '<think>\nHm.\n</think>\n\nYes.', found],
  ['with each piece between tags of its own', '<reasoning>H</reasoning><reasoning>m.</reasoning>Yes.', found],
  ['without the tag that the prompt ends with', 'Hm.\n</think>\n\nYes.', found],
  ['empty, without that tag', '</think>\n\nYes.', { thoughts: '', answer: 'Yes.' }],
  ['not yet at its end', '<think>Hm.', { thoughts: 'Hm.', answer: '' }],
  ['not there', 'Yes.', undefined],
  ['what the answer is about', 'Close it with </think> and go on.', undefined],
  ['in a block of code', 'It ends so:\n```\n</think>\n```\nYes.', undefined],
  ['what the answer shows', 'Like this:\n<think>\nHm.\n</think>\nYes.', undefined],
])('the reasoning is %s', (_, text, expected) => expect(splitThoughts(text)).toEqual(expected))
