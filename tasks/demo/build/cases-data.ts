/** What a court decided about one defendant; null where nothing was. */
export interface Verdict {
  readonly name: string
  readonly description: string
  readonly charge: string
  readonly term: string
  readonly probation: string | null
  readonly fine: string | null
  readonly confiscation: string | null
  readonly deprivation: string | null
  readonly other: string | null
}

/** A made-up criminal judgment. */
export interface Judgment {
  readonly caseName: string
  readonly court: string
  readonly number: string
  readonly procuratorate: string
  readonly facts: readonly string[]
  readonly evidence: string
  readonly reasoning: string
  readonly statutes: string
  readonly verdicts: readonly Verdict[]
  readonly date: string
  readonly judges: readonly string[]
}

const none = { probation: null, fine: null, confiscation: null, deprivation: null, other: null }

export const judgments: readonly Judgment[] = [
  {
    caseName: '陈某等盗窃案',
    court: '青川县人民法院',
    number: '（2023）川0899刑初41号',
    procuratorate: '青川县人民检察院',
    facts: [
      '2022年9月至2023年1月间，被告人陈某、林某经事先商议，由林某驾驶面包车，先后在青川县城区、白水镇等地，趁夜间无人之机撬开建筑工地仓库，窃取电缆线、铜件等物，共作案十一起，涉案财物价值人民币九万三千六百元。',
      '被告人吴某明知上述财物系犯罪所得，仍在其经营的废品收购站内低价收购，支付人民币四万一千元，后转卖获利。',
      '2023年1月18日，被告人陈某、林某被公安机关抓获；同年1月20日，被告人吴某接到电话通知后主动到案，如实供述了上述事实，并退缴违法所得人民币一万二千元。',
    ],
    evidence:
      '上述事实，有公诉机关提交，并经法庭质证、认证的被害单位报案材料、监控录像、价格认定结论书、扣押清单、证人证言及三被告人的供述等证据予以证实，足以认定。公诉机关对陈某的量刑建议为有期徒刑三年至四年，对林某为有期徒刑二年六个月至三年六个月。',
    reasoning:
      '本院认为，被告人陈某、林某以非法占有为目的，多次秘密窃取他人财物，数额巨大，其行为均已构成盗窃罪；被告人吴某明知是犯罪所得而予以收购，其行为已构成掩饰、隐瞒犯罪所得罪。陈某有盗窃前科，曾于2016年被判处有期徒刑一年二个月，系累犯，依法从重处罚；林某在共同犯罪中作用相对较小，酌情从轻处罚；吴某具有自首情节，且退缴违法所得，依法从轻处罚并可以适用缓刑。',
    statutes:
      '依照《中华人民共和国刑法》第二百六十四条、第三百一十二条第一款、第二十五条第一款、第六十五条第一款、第六十七条第一款、第七十二条第一款、第六十四条之规定，判决如下：',
    verdicts: [
      {
        ...none,
        name: '陈某',
        description: '男，1987年4月出生，无固定职业',
        charge: '盗窃罪',
        term: '有期徒刑三年八个月',
        fine: '人民币一万五千元',
      },
      {
        ...none,
        name: '林某',
        description: '男，1991年11月出生，货车司机',
        charge: '盗窃罪',
        term: '有期徒刑三年',
        fine: '人民币一万元',
      },
      {
        ...none,
        name: '吴某',
        description: '男，1975年6月出生，个体经营者',
        charge: '掩饰、隐瞒犯罪所得罪',
        term: '有期徒刑一年',
        probation: '缓刑一年六个月',
        fine: '人民币五千元',
        other: '退缴的违法所得人民币一万二千元，依法予以没收，上缴国库',
      },
    ],
    date: '二〇二三年五月十六日',
    judges: ['审判长　何　某', '审判员　罗　某', '人民陪审员　谢　某'],
  },
  {
    caseName: '周某等非法经营同类营业、受贿案',
    court: '临江市中级人民法院',
    number: '（2022）苏1290刑初17号',
    procuratorate: '临江市人民检察院',
    facts: [
      '被告人周某于2014年至2021年担任国有独资公司临江港务集团有限公司总经理期间，利用职务便利，安排其妻弟、被告人孙某出资设立货运公司，经营与临江港务集团同类的散货装卸业务，获取非法利益共计人民币三百八十二万元。',
      '2016年至2020年，被告人周某利用职务上的便利，为他人在工程承揽、设备采购等方面谋取利益，非法收受他人财物共计折合人民币四百一十七万元。被告人孙某参与其中两起，经手收受人民币六十八万元。',
      '案发后，被告人周某如实供述了监察机关尚未掌握的大部分受贿事实，其亲属代为退缴全部赃款。被告人孙某认罪认罚。',
    ],
    evidence:
      '上述事实，有干部任免文件、公司登记资料、银行流水、工程合同、司法会计鉴定意见、证人证言及被告人供述等证据证实，本院予以确认。',
    reasoning:
      '本院认为，被告人周某身为国有公司经理，利用职务便利为他人经营与其所任职公司同类的营业，获取非法利益，数额特别巨大，其行为已构成非法经营同类营业罪；又身为国家工作人员，非法收受他人财物，数额特别巨大，其行为已构成受贿罪，依法应数罪并罚。被告人孙某与周某通谋，共同收受他人财物，其行为已构成受贿罪，在共同犯罪中起次要作用，系从犯，应当减轻处罚。',
    statutes:
      '依照《中华人民共和国刑法》第一百六十五条、第三百八十五条第一款、第三百八十六条、第三百八十三条、第二十七条、第六十九条、第七十二条、第五十九条、第六十四条之规定，判决如下：',
    verdicts: [
      {
        ...none,
        name: '周某',
        description: '男，1966年2月出生，原系临江港务集团有限公司总经理',
        charge: '非法经营同类营业罪、受贿罪',
        term: '有期徒刑十一年',
        fine: '人民币八十万元',
        deprivation: '二年',
        other: '退缴的赃款人民币七百九十九万元，依法上缴国库',
      },
      {
        ...none,
        name: '孙某',
        description: '男，1972年9月出生，原系临江顺达货运有限公司负责人',
        charge: '受贿罪',
        term: '有期徒刑三年',
        probation: '缓刑四年',
        fine: '人民币二十万元',
      },
    ],
    date: '二〇二二年十一月二十九日',
    judges: ['审判长　顾　某', '审判员　沈　某', '审判员　陆　某'],
  },
  {
    caseName: '马某贩卖毒品案',
    court: '云西市中级人民法院',
    number: '（2021）云2590刑初63号',
    procuratorate: '云西市人民检察院',
    facts: [
      '2020年11月至2021年3月间，被告人马某先后四次从边境地区购入甲基苯丙胺，通过快递夹带、人货分离等方式运至云西市，贩卖给他人，共计一千一百二十克。2021年3月9日，公安机关在其租住的房屋内将其抓获，当场查获甲基苯丙胺三百零六克、电子秤一台、手机三部。',
      '被告人马某归案后揭发他人贩卖毒品的犯罪行为，经查证属实，构成一般立功。',
    ],
    evidence:
      '上述事实，有毒品称量笔录、鉴定意见、快递单据、手机电子数据、证人证言及被告人供述等证据证实。公诉机关建议判处死刑，缓期二年执行。辩护人提出被告人有立功表现，请求从轻处罚。',
    reasoning:
      '本院认为，被告人马某违反国家毒品管理法规，明知是毒品仍予以贩卖，数量大，其行为已构成贩卖毒品罪。马某多次贩卖毒品，论罪应予严惩；鉴于其有立功表现，归案后如实供述，可依法从轻处罚。辩护人的相关意见予以采纳。',
    statutes:
      '依照《中华人民共和国刑法》第三百四十七条第二款第一项、第五十七条第一款、第六十七条第三款、第六十八条、第六十四条之规定，判决如下：',
    verdicts: [
      {
        ...none,
        name: '马某',
        description: '男，1983年12月出生，无业',
        charge: '贩卖毒品罪',
        term: '无期徒刑',
        confiscation: '个人全部财产',
        deprivation: '终身',
        other: '查获的毒品甲基苯丙胺及作案工具手机三部、电子秤一台，依法予以没收',
      },
    ],
    date: '二〇二一年九月七日',
    judges: ['审判长　杨　某', '审判员　和　某', '审判员　段　某'],
  },
]

/** A case that looks like one of the above: another court, another year, one defendant of the same name. */
export const similarJudgments: readonly Judgment[] = [
  {
    caseName: '陈某盗窃案',
    court: '青川县人民法院',
    number: '（2019）川0899刑初108号',
    procuratorate: '青川县人民检察院',
    facts: [
      '2019年3月至5月间，被告人陈某在青川县城区多次进入小区地下车库，窃取电动自行车电瓶，共作案六起，涉案财物价值人民币八千七百元。',
      '2019年5月22日，被告人陈某被公安机关抓获，如实供述了上述事实，并取得部分被害人的谅解。',
    ],
    evidence:
      '上述事实，有被害人陈述、监控录像、价格认定结论书、扣押清单及被告人的供述等证据予以证实，足以认定。',
    reasoning:
      '本院认为，被告人陈某以非法占有为目的，多次秘密窃取他人财物，数额较大，其行为已构成盗窃罪。陈某如实供述，认罪认罚，依法从轻处罚。',
    statutes: '依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款、第六十四条之规定，判决如下：',
    verdicts: [
      {
        ...none,
        name: '陈某',
        description: '男，1994年8月出生，无固定职业',
        charge: '盗窃罪',
        term: '有期徒刑九个月',
        fine: '人民币三千元',
      },
    ],
    date: '二〇一九年八月二日',
    judges: ['审判长　何　某', '审判员　罗　某', '人民陪审员　赵　某'],
  },
]

/** A case as AOE keeps it inside its records, with the statutes that bear on it. */
export interface StatuteCase {
  readonly caseName: string
  readonly number: string
  readonly facts: string
  readonly statutes: readonly string[]
}

export const statuteCases: readonly StatuteCase[] = [
  {
    caseName: '郑某故意伤害案',
    number: '2024-02-1-179-006',
    facts:
      '2022年7月3日晚，被告人郑某在某夜市与邻桌顾客许某因座位发生口角，继而相互推搡。郑某持啤酒瓶击打许某头部，致其颅骨骨折、右耳听力下降。经鉴定，许某的损伤程度为重伤二级。案发后郑某明知他人报警而在现场等候，到案后如实供述自己的行为，并赔偿许某医疗费等损失十八万元，取得谅解。人民法院经审理认为，郑某故意伤害他人身体，致人重伤，应当依照《中华人民共和国刑法》第二百三十四条追究刑事责任；其犯罪以后自动投案，如实供述自己的罪行，符合《中华人民共和国刑法》第六十七条关于自首的规定，可以从轻或者减轻处罚。',
    statutes: ['《中华人民共和国刑法》第234条', '《中华人民共和国刑法》第67条'],
  },
  {
    caseName: '何某、唐某诈骗案',
    number: '2023-04-1-222-013',
    facts:
      '2021年4月至12月，被告人何某租用写字楼，招募被告人唐某等人，冒充某投资平台客服人员，以代客炒股、保本高息为名，通过社交软件骗取四十六名被害人共计人民币五百二十余万元。何某负责出资、租房和分配赃款，唐某负责联络被害人，分得赃款二十三万元。二审法院认为，何某、唐某以非法占有为目的，虚构事实骗取他人财物，数额特别巨大，均构成《中华人民共和国刑法》第二百六十六条规定的诈骗罪。唐某在共同犯罪中起次要作用，依据《中华人民共和国刑法》第二十七条，应当从轻、减轻处罚。对违法所得，依据《中华人民共和国刑法》第六十四条责令退赔。',
    statutes: [
      '《中华人民共和国刑法》第266条',
      '《中华人民共和国刑法》第27条',
      '《中华人民共和国刑法》第64条',
    ],
  },
  {
    caseName: '宋某交通肇事案',
    number: '2024-06-1-054-002',
    facts:
      '2023年2月11日21时许，被告人宋某驾驶重型自卸货车，沿国道由东向西行驶，行至某村路口时未减速观察，与横过道路的两轮电动车相撞，致电动车驾驶人金某当场死亡。宋某停车查看后，因害怕担责驾车离开现场，次日凌晨在家中被抓获。公安机关交通管理部门认定宋某负事故全部责任。人民法院认为，宋某违反交通运输管理法规，因而发生重大事故，致一人死亡，且在肇事后逃逸，其行为构成《中华人民共和国刑法》第一百三十三条规定的交通肇事罪。',
    statutes: ['《中华人民共和国刑法》第133条'],
  },
]
