/**
 * What clients of the original ask for before and after they connect. There is no pet behind this channel: they are told
 * of one with a name and no moods, so that they open their chat and not their first-time set-up.
 */
import type { JsonObject } from '../../core/json/json.ts'
import type { PublicDoor } from '../door.ts'

export function initStatus(name: string): JsonObject {
  const id = 'banksman'
  return {
    need_config: false,
    has_character: true,
    character: { pet_id: id, pet_name: name, pet_persona: '', pet_persona_type: '', avatar: 'default' },
    mbti: { ie: 50, sn: 50, tf: 50, jp: 50 },
    emotion_state: {
      pet_id: id,
      emotion: 'neutral',
      joy: 50,
      anger: 50,
      sadness: 50,
      disgust: 50,
      surprise: 50,
      fear: 50,
      description: '',
    },
  }
}

/** Each answers at once, from memory. */
const PLACES = 32

export function publicDoors(channel: string): PublicDoor[] {
  return [
    {
      kind: 'public',
      channel,
      path: '/pet/token',
      summary: 'Where the pet socket is. It never gives a token out.',
      places: PLACES,
      answer: async ({ host }) => ({
        kind: 'json',
        status: 200,
        body: { enabled: true, token: '', ws_url: `ws://${host}/pet/ws`, protocol: 'pet' },
      }),
    },
    {
      kind: 'public',
      channel,
      path: '/pet/init_status',
      summary: 'Whether the pet channel is there.',
      places: PLACES,
      answer: async () => ({ kind: 'json', status: 200, body: { initialized: true, service: 'pet' } }),
    },
  ]
}
