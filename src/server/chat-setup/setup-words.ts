/** What the bot says while a chat is being set up. */
import type { Locale } from '../../display/words/rendering-words.ts'

export interface SetupWords {
  title: string
  press: string
  button: string
  done: string
  late: string
  /** Told to who clicked. */
  works: string
  busy: string
  notYours: string
  /** Told to who wrote. */
  sendCode: string
  wrongCode: string
}

const WORDS: Readonly<Record<Locale, SetupWords>> = {
  en: {
    title: 'Banksman test card',
    press: 'This is how requests will reach you. Press the button to see whether answers come back.',
    button: 'It works',
    done: 'Your answer arrived. Requests that need your approval will come to this chat.',
    late: 'Nobody pressed the button in time. Run the set-up again to try once more.',
    works: 'Your answer arrived.',
    busy: 'Nothing was decided: Banksman is being set up. Press it again when the server runs.',
    notYours: 'This card is for somebody else.',
    sendCode: 'Banksman is being set up. Send the code that the terminal shows.',
    wrongCode: 'That code is not valid. Send the one that the terminal shows now.',
  },
  zh: {
    title: 'Banksman 测试卡片',
    press: '以后的请求会这样发给您。请点一下按钮，看看您的答复能否送达。',
    button: '可以用',
    done: '已收到您的答复。需要您审批的请求会发到这个聊天。',
    late: '没有在限定时间内点按钮。如需再试，请重新运行设置。',
    works: '已收到您的答复。',
    busy: '没有作出决定：Banksman 正在设置中，请等服务启动后再点。',
    notYours: '这张卡片不是发给您的。',
    sendCode: 'Banksman 正在设置中，请发送终端里显示的关联码。',
    wrongCode: '关联码无效，请发送终端里当前显示的那一个。',
  },
}

export function setupWords(locale: Locale): SetupWords {
  return WORDS[locale]
}
