import { expectTypeOf, it } from 'vitest'
import type { RunExperimentOnDataset } from '../dataset/dataset-types.ts'
import type { ChatPromptClient, TextPromptClient } from '../prompt/prompt-client.ts'
import type { PromptManager } from '../prompt/prompt-manager.ts'
import type { ExperimentManager } from './experiment-manager.ts'
import type { Evaluator } from './experiment-types.ts'

// The compiler checks these; nothing is called.
const never = (_: (experiment: ExperimentManager, prompt: PromptManager) => unknown) => {}

it('the types of input and output of an experiment follow from its data and task', () => {
  never(async (experiment) => {
    const result = await experiment.run({
      name: 'x',
      data: [{ input: 'Norway', expectedOutput: 4, metadata: { level: 1 } }],
      task: async (item) => {
        expectTypeOf(item.input).toEqualTypeOf<string>()
        expectTypeOf(item.metadata).toEqualTypeOf<{ level: number } | undefined>()
        return item.input.length
      },
      evaluators: [
        ({ output, expectedOutput }) => {
          expectTypeOf(output).toEqualTypeOf<number>()
          expectTypeOf(expectedOutput).toEqualTypeOf<number | undefined>()
          return { name: 'exact', value: output - (expectedOutput ?? 0) }
        },
      ],
      runEvaluators: [({ itemResults }) => ({ name: 'sum', value: itemResults[0]?.output ?? 0 })],
    })
    expectTypeOf(result.itemResults[0]?.output).toEqualTypeOf<number | undefined>()
    expectTypeOf(result.itemResults[0]?.input).toEqualTypeOf<string | undefined>()
  })
})

it('an evaluator for unknown values fits every task', () => {
  never((experiment) => {
    const any: Evaluator = ({ output }) => ({ name: 'said', value: output === undefined ? 0 : 1 })
    return experiment.run({ name: 'x', data: [{ input: 1 }], task: ({ input }) => input, evaluators: [any] })
  })
})

it('a task on an untyped dataset may declare its input type', () => {
  const use = (_: (run: RunExperimentOnDataset) => unknown) => {}
  use((run) => run({ name: 'x', task: ({ input }: { input: { country: string } }) => input.country }))
  use((run) => run({ name: 'x', task: ({ input }) => input.country }))
})

it('wrong experiment parameters do not compile', () => {
  never((experiment) =>
    experiment.run({
      name: 'x',
      data: [{ input: 1 }],
      task: () => 1,
      // @ts-expect-error a score needs a value
      evaluators: [() => ({ name: 'x' })],
    }),
  )
  never((experiment) => {
    // @ts-expect-error without id and name it would mean all experiments
    return experiment.delete({ datasetId: 'd' })
  })
  // @ts-expect-error an experiment needs a task
  never((experiment) => experiment.run({ name: 'x', data: [] }))
})

it('the type of a prompt decides the type of its client and of its fallback', () => {
  never(async (_, prompt) => {
    expectTypeOf(await prompt.get('a')).toEqualTypeOf<TextPromptClient>()
    expectTypeOf(await prompt.get('a', { type: 'chat' })).toEqualTypeOf<ChatPromptClient>()
    expectTypeOf((await prompt.get('a')).compile({})).toEqualTypeOf<string>()
    expectTypeOf(await prompt.create({ name: 'a', type: 'chat', prompt: [] })).toEqualTypeOf<ChatPromptClient>()
    // @ts-expect-error a text prompt has a text for a fallback
    await prompt.get('a', { fallback: [] })
    // @ts-expect-error a chat prompt has messages for a fallback
    await prompt.get('a', { type: 'chat', fallback: 'a' })
    // @ts-expect-error a chat prompt is a list of messages
    await prompt.create({ name: 'a', type: 'chat', prompt: 'a' })
  })
})
