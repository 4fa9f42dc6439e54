const IDS = /\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{16,32}\b/g
const TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b/g
const PORTS = /(?<=127\.0\.0\.1:|localhost:)\d+/g

/** Returns a text without what differs from run to run: ids, times, ports, and what `varies` matches. */
export function stable(text: string, varies = /(?!)/g): string {
  const common = text.replaceAll(IDS, '<id>').replaceAll(TIMES, '<time>').replaceAll(PORTS, '<port>')
  return common.replaceAll(varies, '')
}
