import { own } from '@svc/core/own'
import { asName, asNumber, asRecord, isObject } from './read.ts'

/** xAI's unit, of which a dollar has ten thousand million. */
const TICKS = 1e10

/**
 * Returns the US dollars that a provider, gateway or router reports with the token counts of a call: OpenRouter, LiteLLM,
 * Perplexity, DeepInfra, xAI, Vercel's gateway. As number or text, in the names of the wire or of a library.
 */
export function readCost(usage: unknown): number | undefined {
  const {
    cost,
    estimated_cost,
    estimatedCost = estimated_cost,
    market_cost,
    marketCost = market_cost,
  } = asRecord(usage)
  const { is_byok, isByok = is_byok, cost_details, costDetails = cost_details } = asRecord(usage)
  const { cost_in_usd_ticks, costInUsdTicks = cost_in_usd_ticks } = asRecord(usage)
  const { total_cost, totalCost = total_cost, total = totalCost } = asRecord(cost)
  const paid = dollars(isObject(cost) ? total : cost) ?? dollars(estimatedCost) ?? inDollars(costInUsdTicks)
  // With a key of one's own the router charges a fee or nothing, and the provider the rest.
  if (isByok === true) {
    const { upstream_inference_cost, upstreamInferenceCost = upstream_inference_cost } = asRecord(costDetails)
    const upstream = dollars(upstreamInferenceCost)
    if (upstream !== undefined) return upstream + (paid ?? 0)
  }
  return paid || (dollars(marketCost) ?? paid)
}

/** Returns the cost that the AI SDK's providers report in their metadata, each below its own name. */
export function readMetadataCost(providerMetadata: unknown): number | undefined {
  for (const metadata of Object.values(asRecord(providerMetadata))) {
    const cost = readCost(metadata) ?? readCost(asRecord(metadata).usage)
    if (cost !== undefined) return cost
  }
  return undefined
}

/** Returns the cost that LiteLLM's proxy reports in a header of its response. */
export function readHeaderCost(header: (name: string) => unknown): number | undefined {
  return dollars(header('x-litellm-response-cost'))
}

/** Vertex AI's words for what the price depends on. */
const TRAFFIC: Readonly<Record<string, string>> = {
  ON_DEMAND: 'standard',
  ON_DEMAND_PRIORITY: 'priority',
  ON_DEMAND_FLEX: 'flex',
}

/** Returns the service tier that Vertex AI reports as a type of traffic. */
export function trafficTier(type: unknown): string | undefined {
  return own(TRAFFIC, asName(type) ?? '')
}

function inDollars(ticks: unknown): number | undefined {
  const count = asNumber(ticks)
  return count === undefined ? undefined : count / TICKS
}

/** Nobody is paid for a call: a negative number is no cost. */
function dollars(value: unknown): number | undefined {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined
}
