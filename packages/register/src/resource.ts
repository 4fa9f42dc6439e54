import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'

/**
 * The resource of this process: OpenTelemetry's defaults, `OTEL_RESOURCE_ATTRIBUTES`, and `OTEL_SERVICE_NAME`, the
 * later winning (OpenTelemetry resource SDK specification).
 */
export function resourceOf(attributes: Readonly<Record<string, string>>, serviceName: string | undefined): Resource {
  const name = serviceName === undefined ? {} : { 'service.name': serviceName }
  return defaultResource().merge(resourceFromAttributes({ ...attributes, ...name }))
}
