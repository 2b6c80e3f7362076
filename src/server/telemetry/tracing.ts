/**
 * Spans through the OpenTelemetry API: without an SDK in the process they cost nothing and go nowhere. Waiting for a
 * person is a span of its own, so that a trace shows it as waiting and not as a slow tool (P12).
 *
 * An SDK brings the API with it. Where the API is not installed there is no SDK either, and nobody to tell.
 */
import type { Trace } from '../../gateway/gateway-parts.ts'

/** Spread into the parts of a gateway. */
export async function openTracing(
  load: () => Promise<typeof import('@opentelemetry/api')> = () => import('@opentelemetry/api'),
): Promise<{ trace?: Trace }> {
  let library: typeof import('@opentelemetry/api')
  try {
    library = await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return {}
    throw error
  }
  const { SpanStatusCode, trace } = library
  const traceWork: Trace = (name, attributes, work) =>
    trace.getTracer('banksman').startActiveSpan(name, { attributes }, async (span) => {
      try {
        return await work((more) => span.setAttributes(more))
      } catch (error) {
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.message : String(error),
        })
        throw error
      } finally {
        span.end()
      }
    })
  return { trace: traceWork }
}
