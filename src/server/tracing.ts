/**
 * Spans through the OpenTelemetry API: without an SDK in the process they cost nothing and go nowhere. Waiting for a
 * person is a span of its own, so that a trace shows it as waiting and not as a slow tool (P12).
 */
import { SpanStatusCode, trace } from '@opentelemetry/api'
import type { Trace } from '../gateway/parts.ts'

export const traceWithOpenTelemetry: Trace = (name, attributes, work) =>
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
