import { useEffect, useState } from 'preact/hooks'
import type { WireLink, WireNewLink } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { TimeLeft } from '../../../components/time-left.tsx'
import { useArmed } from '../../../components/use-armed.ts'
import { usePageAction } from '../../../components/use-page-action.ts'
import { whenArmed } from '../../../components/when-armed.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { botLink } from './bot-link.ts'
import { useHeld } from './use-held.ts'
import { CHAT_SETTINGS_WORDS } from './words.ts'

interface LinkAccountProps {
  service: string
  hasAccount: boolean
  changed(): void
}

/** Links an account: shows a code, waits until an account has sent it, and has the person confirm that account. */
export function LinkAccount({ service, hasAccount, changed }: LinkAccountProps) {
  const { client } = useInbox()
  const words = useOwnWords(CHAT_SETTINGS_WORDS).link
  const action = usePageAction()
  const [made, setMade] = useState<WireNewLink>()
  const [link, setLink] = useState<WireLink>()

  useHeld(made?.id, {
    ask: (id, how) => client.chats.link(id, how),
    isDone: ({ state }) => state !== 'waiting',
    end: Date.parse(made?.expiresAt ?? ''),
    found: (found) => setLink(found ?? { ...made!, state: 'expired' }),
  })

  useEffect(() => {
    // It was unlinked: there is something to begin again.
    if (!hasAccount) forget()
  }, [hasAccount])

  function forget(): void {
    setMade(undefined)
    setLink(undefined)
  }

  const begin = () =>
    void action.run(async (signal) => {
      const next = await client.chats.beginLink(service, { signal })
      setLink(undefined)
      setMade(next)
    })
  const cancel = () =>
    void action.run(async (signal) => setLink(await client.chats.cancelLink(made!.id, { signal })))
  const confirm = () =>
    void action.run(async (signal) => {
      setLink(await client.chats.confirmLink(made!.id, link!.account!, { signal }))
      changed()
    })

  const isWaiting = made !== undefined && link === undefined
  const isOver = link !== undefined && link.state !== 'claimed' && link.state !== 'linked'
  return (
    <div class="linking">
      {isWaiting ? <ShownCode made={made} cancel={cancel} isBusy={action.isBusy} /> : null}
      {link?.state === 'claimed' ? (
        <ClaimedAccount link={link} confirm={confirm} refuse={cancel} isBusy={action.isBusy} />
      ) : null}
      <p role="status">{isWaiting ? words.waiting : statusOf(link, words)}</p>
      {action.error === undefined ? null : <FailureNote error={action.error} />}
      {!hasAccount && (made === undefined || isOver) ? (
        <div class="setting-choices">
          <button type="button" disabled={action.isBusy} onClick={begin}>
            {isOver ? words.again : words.begin}
          </button>
        </div>
      ) : null}
    </div>
  )
}

type LinkWords = (typeof CHAT_SETTINGS_WORDS)['en']['link']

function statusOf(link: WireLink | undefined, words: LinkWords): string {
  if (link?.state === 'linked') return words.linked
  if (link?.state === 'refused' && link.because !== undefined) return words.refused[link.because]
  return link?.state === 'expired' ? words.expired : ''
}

function ShownCode({ made, cancel, isBusy }: { made: WireNewLink; cancel(): void; isBusy: boolean }) {
  const words = useOwnWords(CHAT_SETTINGS_WORDS)
  const [isCopied, setCopied] = useState(false)
  const { code, bot, url, carriesCode } = made
  const address = url === undefined ? undefined : botLink(url)
  // A browser has it only where the page came by https, or from this machine.
  const { clipboard } = navigator
  const copy = () =>
    clipboard.writeText(code).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <>
      <p>{words.link.steps(bot ?? words.bot, carriesCode)}</p>
      <p class="link-code">
        <span class="hint">{words.link.code}</span>
        <code dir="ltr">{code}</code>
        <TimeLeft expiresAt={made.expiresAt} />
      </p>
      {address === undefined ? null : (
        <p class="link-address">
          <a href={address} target="_blank" rel="noopener noreferrer">
            {words.link.open}
          </a>
          <code dir="ltr">{address}</code>
        </p>
      )}
      <div class="setting-choices">
        {clipboard === undefined ? null : (
          <button type="button" onClick={() => void copy()}>
            {words.link.copy}
          </button>
        )}
        <button type="button" class="plain" disabled={isBusy} onClick={cancel}>
          {words.link.cancel}
        </button>
        <span role="status">{isCopied ? words.link.copied : ''}</span>
      </div>
    </>
  )
}

interface ClaimedAccountProps {
  link: WireLink
  confirm(): void
  refuse(): void
  isBusy: boolean
}

function ClaimedAccount({ link, confirm, refuse, isBusy }: ClaimedAccountProps) {
  const words = useOwnWords(CHAT_SETTINGS_WORDS)
  const isArmed = useArmed(link.id)
  const { account, name, tenant } = link.account ?? { account: '', tenant: '' }
  return (
    <>
      <p role="alert">{words.link.claimed}</p>
      <dl>
        <div>
          <dt>{words.link.sender}</dt>
          <dd>
            <code dir="ltr">{visible(account)}</code>
          </dd>
        </div>
        {tenant === '' ? null : (
          <div>
            <dt>{words.workspace}</dt>
            <dd>
              <code dir="ltr">{visible(tenant)}</code>
            </dd>
          </div>
        )}
        {name === undefined ? null : (
          <div>
            <dt>{words.accountName}</dt>
            <dd>{isolateRightToLeft(name)}</dd>
          </div>
        )}
      </dl>
      <p>{words.link.check(visible(account))}</p>
      <div class={isArmed ? 'setting-choices' : 'setting-choices is-unarmed'}>
        <button
          type="button"
          class="primary"
          disabled={isBusy}
          onClick={() => whenArmed(isArmed, () => confirm())}
        >
          {words.link.confirm}
        </button>
        <button type="button" disabled={isBusy} onClick={() => whenArmed(isArmed, () => refuse())}>
          {words.link.notMe}
        </button>
        <TimeLeft expiresAt={link.expiresAt} />
      </div>
    </>
  )
}
