import { describe, expect, it } from 'vitest'
import { readDocument } from '../../retrieval/read-document.ts'
import { decodeOrGuess, isText } from '../../retrieval/text/decode.ts'

/** Texts and their bytes, by the encoding. */
const samples: Readonly<Record<string, readonly (readonly [text: string, hex: string])[]>> = {
  cp1251: [
    [
      'Завод выпустил 340 станков; прибыль 18,2 млн',
      'c7e0e2eee420e2fbeff3f1f2e8eb2033343020f1f2e0edeaeee23b20eff0e8e1fbebfc2031382c3220ecebed',
    ],
    [
      'Город;Население\nМосква;13104177\n',
      'c3eef0eee43bcde0f1e5ebe5ede8e50acceef1eae2e03b31333130343137370a',
    ],
    ['Сотрудники', 'd1eef2f0f3e4ede8eae8'],
    [
      'Бюджетът на общината е 12 млн. лева',
      'c1fee4e6e5f2faf220ede020eee1f9e8ede0f2e020e520313220ecebed2e20ebe5e2e0',
    ],
  ],
  'koi8-r': [
    ['Завод выпустил 340 станков', 'fac1d7cfc420d7d9d0d5d3d4c9cc2033343020d3d4c1cecbcfd7'],
    ['Сотрудники отдела', 'f3cfd4d2d5c4cec9cbc920cfd4c4c5ccc1'],
    ['Название;Год\nМаяк;1987', 'eec1dad7c1cec9c53be7cfc40aedc1d1cb3b31393837'],
  ],
  cp866: [
    ['Сотрудники отдела', '91aee2e0e3a4ada8aaa820aee2a4a5aba0'],
    [
      'Чистая прибыль составила 18,2 млн',
      '97a8e1e2a0ef20afe0a8a1ebabec20e1aee1e2a0a2a8aba02031382c3220acabad',
    ],
  ],
  'iso8859-5': [['Доход предприятия вырос', 'b4dee5ded420dfe0d5d4dfe0d8efe2d8ef20d2ebe0dee1']],
  cp1253: [
    [
      'Ο πληθυσμός της πόλης είναι 320.000 κάτοικοι',
      'cf20f0ebe7e8f5f3ecfcf220f4e7f220f0fcebe7f220e5dfede1e9203332302e30303020eadcf4efe9eaefe9',
    ],
    ['Νοσοκομείο Αγία Σοφία', 'cdeff3efeaefece5dfef20c1e3dfe120d3eff6dfe1'],
  ],
  cp1255: [
    ['בית החולים הדסה, ירושלים', 'e1e9fa20e4e7e5ece9ed20e4e3f1e42c20e9f8e5f9ece9ed'],
    ['שם;שנה;מחיר\nרחל;2021;45', 'f9ed3bf9f0e43beee7e9f80af8e7ec3b323032313b3435'],
    ['שלום עולם', 'f9ece5ed20f2e5eced'],
  ],
  cp874: [
    ['โรงพยาบาลมีเตียง 120 เตียง', 'e2c3a7bec2d2bad2c5c1d5e0b5d5c2a72031323020e0b5d5c2a7'],
    ['ชื่อ,ราคา\nข้าวผัด,45', 'aad7e8cd2cc3d2a4d20aa2e9d2c7bcd1b42c3435'],
    ['ประเทศไทย', 'bbc3d0e0b7c8e4b7c2'],
  ],
  cp1256: [['مستشفى الملك فهد 120 سريرا', 'e3d3cad4ddec20c7e1e3e1df20dde5cf2031323020d3d1edd1c7']],
  cp1250: [
    ['Szpital w Gdańsku: 340 łóżek', '537a706974616c207720476461f1736b753a2033343020b3f3bf656b'],
    ['Kórház;Ágyak\nGyőr;120', '4bf37268e17a3bc16779616b0a4779f5723b313230'],
    [
      'Spitalul din Iaşi are 120 de paturi',
      '53706974616c756c2064696e204961ba69206172652031323020646520706174757269',
    ],
    [
      'Nemocnice Třinec, počet lůžek 120',
      '4e656d6f636e6963652054f8696e65632c20706fe86574206cf99e656b20313230',
    ],
    [
      'Bolnica u Šibeniku ima 120 kreveta',
      '426f6c6e6963612075208a6962656e696b7520696d6120313230206b726576657461',
    ],
  ],
  'iso8859-2': [
    ['Szpital w Gdańsku: 340 łóżek', '537a706974616c207720476461f1736b753a2033343020b3f3bf656b'],
    ['Škola;Žáci\nPříbram;120', 'a96b6f6c613baee163690a50f8ed6272616d3b313230'],
  ],
  cp1254: [
    [
      'Hastanede 120 yatak ve 45 hemşire çalışıyor',
      '48617374616e6564652031323020796174616b2076652034352068656dfe69726520e7616cfdfefd796f72',
    ],
    ['Iğdır', '49f064fd72'],
  ],
  cp1252: [
    [
      'Das Krankenhaus verfügt über 120 Betten',
      '446173204b72616e6b656e686175732076657266fc677420fc626572203132302042657474656e',
    ],
    ['Hôpital Général: 120 lits', '48f4706974616c2047e96ee972616c3a20313230206c697473'],
    ['“Quoted” – 5 € each', '9351756f746564942096203520802065616368'],
    ['Hospital de Niños, Córdoba', '486f73706974616c206465204e69f16f732c2043f372646f6261'],
    ['Sygehuset i Ålborg på Jylland', '537967656875736574206920c56c626f72672070e5204a796c6c616e64'],
    ['Sjúkrahúsið á Akureyri; Þórður', '536afa6b726168fa7369f020e120416b7572657972693b20def372f07572'],
  ],
  cp1257: [
    [
      'Ligoninėje yra 120 lovų, o šalia žemė',
      '4c69676f6e696eeb6a652079726120313230206c6f76f82c206f20f0616c696120fe656deb',
    ],
    ['Slimnīcā ir 120 gultas', '536c696d6eee63e2206972203132302067756c746173'],
  ],
  shift_jis: [
    [
      '病院には120床のベッドがあります。',
      '9561894082c982cd3132308fb082cc83788362836882aa82a082e882dc82b78142',
    ],
  ],
  euc_jp: [
    [
      '病院には120床のベッドがあります。',
      'c9c2b1a1a4cba4cf313230beb2a4cea5d9a5c3a5c9a4aca4a2a4eaa4dea4b9a1a3',
    ],
  ],
  iso2022_jp: [
    [
      '病院には120床のベッドがあります。',
      '1b244249423121244b244f1b28423132301b24423e32244e255925432549242c2422246a245e243921231b2842',
    ],
    [
      '都市,人口\n東京,14047594\n',
      '1b244245543b541b28422c1b24423f4d387d1b28420a1b2442456c357e1b28422c31343034373539340a',
    ],
  ],
  euc_kr: [
    [
      '병원에는 120개의 병상이 있습니다.',
      'bab4bff8bfa1b4c220313230b0b3c0c720bab4bbf3c0cc20c0d6bdc0b4cfb4d92e',
    ],
  ],
  gb18030: [
    ['医院有120张床位，本年收入增长。', 'd2bdd4bad3d0313230d5c5b4b2cebba3acb1bec4eacad5c8ebd4f6b3a4a1a3'],
    ['城市,人口\n北京,21893095\n', 'b3c7cad02cc8cbbfda0ab1b1bea92c32313839333039350a'],
  ],
  big5: [
    ['醫院有120張病床，本年收入增長。', 'c2e5b07ca6b3313230b169af66a7c9a141a5bba67ea6aca44abc57aaf8a143'],
  ],
  'utf-16-le': [
    [
      'Больница имеет 120 мест',
      '11043e043b044c043d04380446043004200038043c04350435044204200031003200300020003c04350441044204',
    ],
    ['医院有120张', '3b5362960967310032003000205f'],
  ],
  'utf-16-be': [['Revenue 12', '0052006500760065006e00750065002000310032']],
}

describe('a text without a declared encoding', () => {
  it.each(
    Object.entries(samples).flatMap(([encoding, texts]) =>
      texts.map(([text, hex]) => ({ encoding, text, hex })),
    ),
  )('is read: $encoding, $text', ({ encoding, text, hex }) => {
    const bytes = Buffer.from(hex, 'hex')
    expect(isText(bytes)).toBe(true)
    const decoded = decodeOrGuess(bytes)
    expect(decoded.text).toBe(text)
    expect(decoded.guess === null).toBe(encoding.startsWith('utf-16'))
  })

  it.each([
    ['a document', 'text' as const, '', ''],
    ['a page', 'html' as const, '<html><body><p>', '</p></body></html>'],
  ])('has a notice: %s', async (_, format, start, end) => {
    const bytes = Buffer.concat([
      Buffer.from(start),
      Buffer.from('d1eef2f0f3e4ede8eae8', 'hex'),
      Buffer.from(end),
    ])
    expect(await readDocument({ format, bytes })).toMatchObject({
      pages: [{ text: 'Сотрудники' }],
      notices: ['its encoding is not declared: read as windows-1251'],
    })
  })

  it.each([
    '',
    'text/html; charset=utf-8',
    'text/plain; charset=windows-1252',
    'text/html; charset=iso-2022-jp',
  ])('reads escapes of ISO-2022-JP, whatever the header says: %j', header => {
    const bytes = Buffer.from('1b2442494221211b2842313230', 'hex')
    expect(decodeOrGuess(bytes, header).text).toBe('病　120')
  })

  it.each([
    ['iso-2022-kr', '\x1b$)C\x0eH#EZ\x0f 30', '호텔 30'],
    ['iso-2022-kr', '\x1b$)CBeds:\n\x0eH#\x0f12\x0eEZ\x0f', 'Beds:\n호12텔'],
    ['hz-gb-2312', '~{>F5j~}30~{?M7?~}', '酒店30客房'],
  ])('reads characters of two bytes between signs, as in %s', (guess, source, text) => {
    expect(decodeOrGuess(Buffer.from(source, 'latin1'))).toEqual({ text, guess })
    expect(isText(Buffer.from(source, 'latin1'))).toBe(true)
  })

  it.each(['~{ab~} is a pair', '{~ ~} ~{}~', 'a~{b'])('reads other braces as they are: %j', text => {
    expect(decodeOrGuess(Buffer.from(text))).toEqual({ text, guess: null })
  })

  it.each(['Plain ASCII text, 12', 'Größe: 12', 'Выручка', ''])('has none when it is UTF-8: %j', text => {
    expect(decodeOrGuess(Buffer.from(text))).toEqual({ text, guess: null })
  })
})

describe('the encoding that a page declares', () => {
  const cyrillic = Buffer.from('d1eef2f0f3e4ede8eae8', 'hex')
  const page = (head: string) => Buffer.concat([Buffer.from(`<html><head>${head}</head><body>`), cyrillic])
  const western = '\u00d1\u00ee\u00f2\u00f0\u00f3'
  it.each([
    ['by an attribute', '<meta charset=windows-1251>', 'Сотру', null],
    ['by its content', `<META content='text/html; charset="cp1251"' http-equiv=Content-Type>`, 'Сотру', null],
    ['as user-defined', '<meta charset="x-user-defined">', western, null],
    ['in a comment, which does not count', '<!-- <meta charset="iso-8859-1"> -->', 'Сотру', 'windows-1251'],
    ['in an attribute, which does not count', '<x a="<meta charset=iso-8859-1>">', 'Сотру', 'windows-1251'],
    [
      'without http-equiv, which does not count',
      '<meta content="text/html; charset=iso-8859-1">',
      'Сотру',
      'windows-1251',
    ],
    [
      'after 1,024 bytes, which does not count',
      `${' '.repeat(1024)}<meta charset=iso-8859-1>`,
      'Сотру',
      'windows-1251',
    ],
    ['by a name that nobody knows', '<meta charset="unknown-8"><meta charset="windows-1251">', 'Сотру', null],
  ])('is found as the HTML Standard says: %s', (_, head, text, guess) => {
    const decoded = decodeOrGuess(page(head))
    expect([decoded.text.includes(text), decoded.guess]).toEqual([true, guess])
  })
  it('is UTF-8 when it says UTF-16', () => {
    const text = '<meta charset="utf-16">Größe'
    expect(decodeOrGuess(Buffer.from(text))).toEqual({ text, guess: null })
  })
})

describe('an e-mail', () => {
  const encoded = 'MIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BCn\n'
  it.each([
    ['with an encoded text', `From: a@b.de\nSubject: x\n y\n${encoded}`, true],
    [
      'with an encoded part',
      `MIME-Version: 1.0\r\nX: y\r\n\r\n--x\r\nContent-Transfer-Encoding: base64\r\n`,
      true,
    ],
    ['of plain text', 'From: a@b.de\nMIME-Version: 1.0\nContent-Transfer-Encoding: 8bit\n\nGrün\n', false],
    ['quoted in a text', `They wrote:\n\n${encoded}`, false],
    ['that is no more than a list of terms', 'Beds: 12\nTown: Ulm\n', false],
  ])('%s has a notice when parts are not decoded', async (_, text, isSaid) => {
    const { notices = [] } = await readDocument({ format: 'text', bytes: Buffer.from(text) })
    expect(notices.some(notice => notice.includes('not decoded'))).toBe(isSaid)
  })
})
