import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('OTEL_TRACES_SAMPLER=always_off sends nothing, and traceidratio with 1 everything', async () => {
  expect((await chat({ OTEL_TRACES_SAMPLER: 'always_off' })).spans).toEqual([])
  expect((await chat({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' })).spans).toHaveLength(1)
  expect((await chat({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })).spans).toEqual([])
})
