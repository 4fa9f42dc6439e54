/** Fields that differ from run to run. */
const DIFFERS =
  /^(created(_at|At)?|createTime|_?request_?id|x-request-id|host|date|idempotencyKey|idempotency-key|total_duration|load_duration|amz-sdk-\S+)$/i

/** The value as JSON knows it, without what differs from run to run. */
export function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (key, field) => {
    if (DIFFERS.test(key)) return 'differs'
    return typeof field === 'string' ? withoutPlaces(field) : field
  })
  return text === undefined ? undefined : JSON.parse(text)
}

/** A text without ports, times, and the numbers that requests are given. */
export function withoutPlaces(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/boundary=[\w-]+/g, 'boundary=BOUNDARY')
    .replaceAll(/"created":\d+/g, '"created":0')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID')
    .replaceAll(/\btrace_[0-9a-f]{32}\b/g, 'trace_N')
    .replaceAll(/\b[0-9a-f]{32}\b/g, 'TASK')
    .replaceAll(/"(created|lastUpdated)At":"[\w:.-]+"/g, '"$1At":"TIME"')
    .replaceAll(/\b(event|item|req|chatcmpl|cmpl|resp|msg|fc|rs|call|toolu|gemini|cohere)([_-])\d+/g, '$1$2N')
}
