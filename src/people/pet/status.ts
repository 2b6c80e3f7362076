/**
 * What clients of the original ask for before and after they connect. There is no pet behind this channel: they are told
 * of one with a name and no moods, so that they open their chat and not their first-time set-up.
 */
import type { JsonObject } from '../../core/json/json.ts'
import type { Door, DoorRequest } from '../door.ts'

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

export function httpDoors(): Door[] {
  return [
    {
      kind: 'http',
      method: 'GET',
      path: '/pet/token',
      summary: 'Where the pet socket is. It never gives a token out.',
      credential: 'none',
      maxBodyBytes: 0,
      answer: async ({ host }: DoorRequest) => ({
        kind: 'json',
        status: 200,
        body: { enabled: true, token: '', ws_url: `ws://${host}/pet/ws`, protocol: 'pet' },
      }),
    },
    {
      kind: 'http',
      method: 'GET',
      path: '/pet/init_status',
      summary: 'Whether the pet channel is there.',
      credential: 'none',
      maxBodyBytes: 0,
      answer: async () => ({ kind: 'json', status: 200, body: { initialized: true, service: 'pet' } }),
    },
  ]
}
