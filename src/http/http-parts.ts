/** Everything that the HTTP app is given. Each group of routes declares what it takes of it. */
import type { Clock } from '../core/time/clock.ts'
import type { Gateway } from '../gateway/gateway-verbs.ts'
import type { Door } from '../people/door.ts'
import type { RequestSourceParts } from './access/check-request-source.ts'
import type { ReportHttpFault } from './connection/http-context.ts'
import type { HttpSettings } from './connection/live-connection.ts'
import type { AboutParts } from './routes/administration/about.ts'
import type { ChatRouteParts } from './routes/administration/chats.ts'
import type { CookieParts } from './routes/administration/credentials.ts'
import type { DemonstrationRouteParts } from './routes/administration/demonstration.ts'
import type { NodeParts } from './routes/administration/nodes.ts'
import type { PolicyRouteParts } from './routes/administration/policy.ts'
import type { PushParts } from './routes/administration/push.ts'
import type { McpRouteParts } from './routes/mcp/mcp.ts'
import type { JournalParts } from './routes/record/journal.ts'
import type { MediaParts } from './routes/sessions/media.ts'
import type { ConversationRouteParts } from './routes/sessions/read-session.ts'
import type { StaticFiles } from './static-files.ts'

export interface HttpParts
  extends RequestSourceParts,
    AboutParts,
    ChatRouteParts,
    ConversationRouteParts,
    CookieParts,
    DemonstrationRouteParts,
    JournalParts,
    McpRouteParts,
    MediaParts,
    NodeParts,
    PolicyRouteParts,
    PushParts {
  gateway: Gateway
  clock: Pick<Clock, 'after' | 'now'>
  report?: ReportHttpFault
  /** The web app. */
  inbox?: StaticFiles
  /** Pages of a channel, below a path of their own that begins and ends with a slash. */
  pages?: { prefix: string; files: StaticFiles }
  /** Where channels let people in. */
  doors?: readonly Door[]
  settings?: Partial<HttpSettings>
}
