import { decoded } from '../../json-text.ts'
import type { SavedObservation } from '../../store/columns.ts'
import type { DefinedModels } from '../../store/defined-models.ts'
import { definedModel, tierFor } from '../../store/model-cost.ts'
import { isoTime } from '../../trace/trace.ts'
import { PROJECT } from '../about.ts'

interface Look {
  /** Input and output are decoded where they are JSON. */
  readonly parseIo: boolean
  /** Models that were defined here: they set the cost of calls. */
  readonly models: DefinedModels
}

type Shape = (observation: SavedObservation, look: Look) => Record<string, unknown>

const time = (micros: number | null) => (micros === null ? null : isoTime(micros))
const seconds = (from: number, to: number | null) => (to === null ? null : (to - from) / 1_000_000)

/** The field groups of `ObservationV2` (contract 3.7 and appendix A). */
export const FIELD_GROUPS = {
  core: (observation, { models }) => ({
    id: observation.id,
    traceId: observation.traceId,
    startTime: isoTime(observation.startTime),
    endTime: isoTime(observation.endTime),
    projectId: PROJECT.id,
    parentObservationId: observation.parentId,
    type: observation.type,
    isRootObservation: observation.root > 0,
    ...pricesOf(observation, models),
  }),
  basic: ({ name, level, statusMessage, version, environment, userId, sessionId, ...observation }) => ({
    name,
    level,
    statusMessage,
    version,
    environment,
    bookmarked: false,
    public: observation.public,
    userId,
    sessionId,
  }),
  time: ({ completionStartTime, createdAt, updatedAt }) => ({
    completionStartTime: time(completionStartTime),
    createdAt: isoTime(createdAt * 1_000),
    updatedAt: isoTime(updatedAt * 1_000),
  }),
  io: ({ input, output }, { parseIo }) => {
    const shown = (text: string | null) => (text !== null && parseIo ? decoded(text) : text)
    return { input: shown(input), output: shown(output) }
  },
  metadata: ({ metadata }) => ({ metadata }),
  model: (observation, { models }) => ({
    providedModelName: observation.model,
    internalModelId: definedModel(observation, models)?.id ?? null,
    modelParameters: observation.modelParameters,
  }),
  usage: (observation, { models }) => ({
    usageDetails: observation.usage,
    costDetails: observation.cost,
    totalCost: observation.cost.total ?? null,
    usagePricingTierName: tierFor(observation, definedModel(observation, models), models)?.name ?? null,
  }),
  prompt: ({ promptName, promptVersion }) => ({ promptId: null, promptName, promptVersion }),
  metrics: ({ startTime, endTime, completionStartTime }) => ({
    latency: seconds(startTime, endTime),
    timeToFirstToken: seconds(startTime, completionStartTime),
  }),
  trace_context: ({ traceName, tags, release }) => ({ traceName, tags, release }),
} satisfies Record<string, Shape>

export type FieldGroup = keyof typeof FIELD_GROUPS

/** An observation as the API shows it: `core` and the requested field groups. */
export function shapeOf(
  observation: SavedObservation,
  groups: readonly FieldGroup[],
  look: Look,
): Record<string, unknown> {
  const requested = new Set<FieldGroup>(['core', ...groups])
  const shapes = [...requested].map((group): Shape => FIELD_GROUPS[group])
  return Object.assign({}, ...shapes.map((shape) => shape(observation, look)))
}

/** The defined model of an observation, and what a unit costs as text. */
function pricesOf(observation: SavedObservation, models: DefinedModels) {
  const model = definedModel(observation, models)
  const { input, output, total } = tierFor(observation, model, models)?.prices ?? {}
  const shown = (price: number | undefined) => (price === undefined ? null : String(price))
  return { modelId: model?.id ?? null, inputPrice: shown(input), outputPrice: shown(output), totalPrice: shown(total) }
}
