import { expect, it } from 'vitest'
import { readAgentRequest } from './agents.ts'

it('files, earlier messages and variables of an agent are input, which stand in the state of its session', () => {
  const state = {
    conversationHistory: { messages: [{ role: 'assistant', content: [{ text: 'Hello.' }] }] },
    files: [
      { name: 'a.csv', source: { sourceType: 'S3', s3Location: { uri: 's3://bucket/a.csv' } } },
      { name: 'b.csv', source: { sourceType: 'BYTE_CONTENT', byteContent: { data: new Uint8Array([1]) } } },
    ],
    promptSessionAttributes: { city: 'Rome' },
  }
  const read = {
    metadata: { prompt_variables: { city: 'Rome' } },
    messages: [
      { role: 'assistant', parts: [{ type: 'text', content: 'Hello.' }] },
      {
        role: 'user',
        parts: [
          { type: 'uri', uri: 's3://bucket/a.csv' },
          { type: 'file', filename: 'b.csv' },
          { type: 'text', content: 'Sum them up.' },
        ],
      },
    ],
  }
  expect(readAgentRequest({ inputText: 'Sum them up.', sessionState: state })).toEqual(read)
  expect(readAgentRequest({ inputText: 'Sum them up.', inlineSessionState: state })).toEqual(read)
})
