import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Settings } from '@svc/core/setting'
import type { preloadSettings } from '@svc/core/settings'
import { publishLeftOut } from '@svc/core/span-events'

type SamplerName = Settings<typeof preloadSettings>['sampler']

const SAMPLERS: Readonly<Record<SamplerName, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/**
 * The sampler of `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` (OpenTelemetry SDK environment variables).
 *
 * @param recordsAll whether spans that are not sampled are recorded, for metrics. They are exported nowhere. Default false
 */
export function samplerOf(name: SamplerName, ratio: number, recordsAll = false): Sampler {
  return recordsAll ? recording(SAMPLERS[name](ratio)) : publishing(SAMPLERS[name](ratio))
}

function recording(sampler: Sampler): Sampler {
  return {
    shouldSample: (...args) => {
      const result = sampler.shouldSample(...args)
      return result.decision === SamplingDecision.NOT_RECORD ? { ...result, decision: SamplingDecision.RECORD } : result
    },
    toString: () => sampler.toString(),
  }
}

/** Publishes spans that are not sampled, because no processor sees them. */
function publishing(sampler: Sampler): Sampler {
  return {
    shouldSample: (...args) => {
      const result = sampler.shouldSample(...args)
      if (result.decision === SamplingDecision.NOT_RECORD) publishLeftOut(undefined, 'unsampled')
      return result
    },
    toString: () => sampler.toString(),
  }
}
