import { useMemo, useState } from 'preact/hooks'
import type { JsonValue } from '../../../../src/client/index.ts'
import { maskedValuesIn, maskLabel } from '../../../../src/display/masks/mask-label.ts'
import { quote } from '../../../../src/display/text/quote.ts'
import { makeVisible } from '../../../../src/display/text/visible.ts'
import type { Locale } from '../../../../src/display/words/rendering-words.ts'
import { LongText } from '../../components/text/long-text.tsx'
import { serverTextSpans } from '../../components/text/server-text-spans.ts'
import { MarkedSpan, Spans } from '../../components/text/spans.tsx'
import { useLocale, useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import '../call-blocks.css'
import { VALUE_LIMITS } from './fold-limits.ts'
import {
  branchPreview,
  isBranch,
  type JsonBranch,
  type JsonMember,
  type MaskedRequestArguments,
  MEMBERS_AT_A_TIME,
  MEMBERS_AT_FIRST,
  membersOf,
  openAtFirst,
  sizeOf,
} from './json-tree.ts'

interface JsonTreeProps {
  value: JsonValue
  /** Where it stands in the arguments. */
  pointer: string
  masks: MaskedRequestArguments['masks']
}

/** What a branch needs to know of the whole tree. */
interface Tree {
  open: ReadonlySet<string>
  masks: ReadonlyMap<string, TreeMask>
}

interface TreeMask {
  label: string
  /** The value with its mask in the reader's language. */
  show(value: string): string
}

/** Nested values as a tree that folds. */
export function JsonTree({ value, pointer, masks }: JsonTreeProps) {
  const locale = useLocale()
  const tree = useMemo(
    () => ({
      open: openAtFirst(value, pointer),
      masks: masksByPlace(masks, locale),
    }),
    [value, pointer, masks, locale],
  )
  return (
    <div class="tree" dir="ltr">
      {isBranch(value) ? (
        <Members branch={value} pointer={pointer} tree={tree} />
      ) : (
        <Leaf value={value} mask={tree.masks.get(pointer)} />
      )}
    </div>
  )
}

function masksByPlace(masks: JsonTreeProps['masks'], locale: Locale): ReadonlyMap<string, TreeMask> {
  const shown = maskedValuesIn(masks, locale)
  return new Map(
    masks.map((mask) => [mask.pointer, { label: maskLabel(mask, locale), show: shown.get(mask.pointer)! }]),
  )
}

function Members({ branch, pointer, tree }: { branch: JsonBranch; pointer: string; tree: Tree }) {
  const words = useOwnWords(REQUEST_WORDS).tree
  const [shown, setShown] = useState(MEMBERS_AT_FIRST)
  const left = sizeOf(branch) - shown
  return (
    <>
      <ul>
        {membersOf(branch, pointer, 0, shown).map((member, index) => (
          <li key={member.pointer}>
            <MemberView member={member} index={index} tree={tree} />
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <button type="button" class="fold" onClick={() => setShown(shown + MEMBERS_AT_A_TIME)}>
          <span aria-hidden="true">⋯ </span>
          {words.more(Math.min(left, MEMBERS_AT_A_TIME), left)}
        </button>
      ) : null}
    </>
  )
}

function MemberView({ member, index, tree }: { member: JsonMember; index: number; tree: Tree }) {
  const words = useOwnWords(REQUEST_WORDS).tree
  const { key, pointer, value } = member
  const [isOpen, setOpen] = useState(tree.open.has(pointer))
  const name =
    key === undefined ? (
      <span class="tree-index">{index}</span>
    ) : (
      <span class="tree-key">
        <Spans spans={makeVisible(PLAIN_NAME.test(key) ? key : quote(key)).spans} />
      </span>
    )
  if (!isBranch(value) || sizeOf(value) === 0) {
    return (
      <div class="tree-leaf">
        {name}
        <Leaf value={value} mask={tree.masks.get(pointer)} />
      </div>
    )
  }
  const size = sizeOf(value)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name} <span class="hint">{Array.isArray(value) ? words.items(size) : words.keys(size)}</span>{' '}
        {isOpen ? null : (
          <span class="tree-gist">
            <Spans spans={makeVisible(branchPreview(value, pointer, (at) => tree.masks.has(at))).spans} />
          </span>
        )}
      </summary>
      {isOpen ? <Members branch={value} pointer={pointer} tree={tree} /> : null}
    </details>
  )
}

const PLAIN_NAME = /^[A-Za-z_$][\w.$-]*$/

/** A text stands in quotes, or, where it has several lines or is long, as a block: it can't pass for another value. */
function Leaf({ value, mask }: { value: JsonValue; mask: TreeMask | undefined }) {
  if (typeof value !== 'string') return <span class="tree-plain">{JSON.stringify(value)}</span>
  if (mask !== undefined) {
    // Where only a part is hidden, the mask stands inside the text.
    if (!value.startsWith('\u27e8')) return <Spans spans={serverTextSpans(mask.show(value))} />
    return <MarkedSpan span={{ kind: 'mask', text: mask.show(value), name: mask.label }} />
  }
  if (value.includes('\n') || value.length > LONGEST_LINE) {
    return (
      <pre class="tree-text">
        <LongText text={value} room={VALUE_LIMITS} />
      </pre>
    )
  }
  return (
    <span class="tree-string">
      <Spans spans={makeVisible(quote(value)).spans} />
    </span>
  )
}

const LONGEST_LINE = 300
