/**
 * Returns the id of an experiment over a dataset. It is the same for the same run name, so that a run that is
 * restarted, or split over several processes, is one experiment (contract 3.5).
 */
export function experimentIdOf(projectId: string, datasetId: string, runName: string): Promise<string> {
  return sixteenHexOf(JSON.stringify(['svc-experiment-v1', projectId, datasetId, runName]))
}

/** Returns the id of an experiment on the user's own data. */
export function randomExperimentId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(8)))
}

/** Returns the first 16 hex digits of the SHA-256 of a text. */
export async function sixteenHexOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return hex(new Uint8Array(digest, 0, 8))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
