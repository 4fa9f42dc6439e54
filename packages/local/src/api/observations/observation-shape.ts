import { decoded } from '../../json-text.ts'
import type { SavedObservation } from '../../store/columns.ts'
import { isoTime } from '../../trace/trace.ts'
import { PROJECT } from '../about.ts'

type Shape = (observation: SavedObservation, parseIo: boolean) => Record<string, unknown>

const time = (micros: number | null) => (micros === null ? null : isoTime(micros))
const seconds = (from: number, to: number | null) => (to === null ? null : (to - from) / 1_000_000)

/** The field groups of `ObservationV2` (contract 3.7 and appendix A). */
export const FIELD_GROUPS = {
  core: (observation) => ({
    id: observation.id,
    traceId: observation.traceId,
    startTime: isoTime(observation.startTime),
    endTime: isoTime(observation.endTime),
    projectId: PROJECT.id,
    parentObservationId: observation.parentId,
    type: observation.type,
    isRootObservation: observation.root > 0,
    // Prices come from a model catalogue, which this service has not.
    modelId: null,
    inputPrice: null,
    outputPrice: null,
    totalPrice: null,
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
  io: ({ input, output }, parseIo) => {
    const shown = (text: string | null) => (text !== null && parseIo ? decoded(text) : text)
    return { input: shown(input), output: shown(output) }
  },
  metadata: ({ metadata }) => ({ metadata }),
  model: ({ model, modelParameters }) => ({ providedModelName: model, internalModelId: null, modelParameters }),
  usage: ({ usage, cost }) => ({
    usageDetails: usage,
    costDetails: cost,
    totalCost: cost.total ?? null,
    usagePricingTierName: null,
  }),
  prompt: ({ promptName, promptVersion }) => ({ promptId: null, promptName, promptVersion }),
  metrics: ({ startTime, endTime, completionStartTime }) => ({
    latency: seconds(startTime, endTime),
    timeToFirstToken: seconds(startTime, completionStartTime),
  }),
  trace_context: ({ traceName, tags, release }) => ({ traceName, tags, release }),
} satisfies Record<string, Shape>

export type FieldGroup = keyof typeof FIELD_GROUPS

/** An observation as the API shows it: `core` and the groups asked for. */
export function shapeOf(
  observation: SavedObservation,
  groups: readonly FieldGroup[],
  parseIo: boolean,
): Record<string, unknown> {
  const asked = new Set<FieldGroup>(['core', ...groups])
  const shapes = [...asked].map((group): Shape => FIELD_GROUPS[group])
  return Object.assign({}, ...shapes.map((shape) => shape(observation, parseIo)))
}
