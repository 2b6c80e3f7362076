import type { WireRequest } from '../../../../src/client/index.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useOwnWords } from '../../context/context.ts'
import type { GrantDraft } from '../grant/grant-draft.ts'
import { lazyGrantForm } from '../lazy-forms.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { FormFrame, type FormStep } from './form-frame.tsx'

export interface RememberFormProps {
  step: FormStep
  request: WireRequest
  choice: GrantDraft
  isGrantSound: boolean
  /** Whether several people have to approve. */
  isShared: boolean
  submit: string
  change(choice: GrantDraft): void
  send(): void
}

/** Approving, and allowing more than this call. What was asked stays in view while somebody chooses how far that goes. */
export function RememberForm(props: RememberFormProps) {
  const { step, request, choice, isGrantSound, isShared, submit, change, send } = props
  const words = useOwnWords(DECIDE_WORDS)
  return (
    <FormFrame
      step={step}
      label={words.remember.title}
      submit={submit}
      tone="approve"
      isReady={isGrantSound}
      send={send}
    >
      <div class="restating is-kept">
        <p class="restated" dir="auto">
          <ServerText text={request.rendering.title} />
        </p>
      </div>
      <lazyGrantForm.Part part={{ request, choice, isEdit: false, change }} />
      {isShared ? <p class="hint">{words.votes.narrowest}</p> : null}
    </FormFrame>
  )
}
