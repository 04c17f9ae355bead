import type { Paper } from './paper.ts'

const own = (...cells: string[]) => ({ cells, own: true })
const other = (...cells: string[]) => ({ cells, own: false })

const works = {
  gull: {
    key: 'gull',
    text: 'P. Gullberg and M. Sato. A survey of image recognition in the dark. Journal of Coastal Computing, 4(2):88-121, 2018.',
  },
  kelp: {
    key: 'kelp',
    text: 'R. Kelpman, I. Fontaine and D. Osei. KelpNet: convolution on wet surfaces. In Proceedings of the Northern Vision Meeting, pages 210-219, 2019.',
  },
  shore: {
    key: 'shore',
    text: 'L. Haug and T. Brandvold. NightShore: forty nights of shoreline video. Data in Marine Biology, 7:1-14, 2020.',
  },
  former: {
    key: 'former',
    text: 'S. Anand, Y. Mori and C. Petit. PatchFormer: recognition with few patches. Transactions on Learned Systems, 12(1):3-29, 2020.',
  },
  gamma: {
    key: 'gamma',
    text: 'E. Nwosu. Learned gamma curves for raw sensor data. In Workshop on Computational Cameras, pages 41-48, 2020.',
  },
  prune: {
    key: 'prune',
    text: 'J. Albrecht, H. Lim and O. Duarte. What can be dropped? Token importance in vision models. In Proceedings of the Northern Vision Meeting, pages 77-90, 2021.',
  },
  edge: {
    key: 'edge',
    text: 'M. Okafor and B. Lindqvist. Measuring latency on battery-powered boards. Embedded Systems Notes, 9(4):310-325, 2021.',
  },
  label: {
    key: 'label',
    text: 'A. Restrepo and V. Ivanova. How many annotators does a tide pool need? Data in Marine Biology, 6:55-71, 2019.',
  },
} as const

const tidepool: Paper = {
  key: 'tidepool',
  marksOwn: false,
  fileName: 'tidepool-40-benchmark-intertidal-organisms.pdf',
  title: 'Tidepool-40: A Benchmark for Classifying Intertidal Organisms in Low Light',
  authors: 'Hanne Solberg, Kwame Adjei, Lucia Marchetti',
  venue: 'Northern Vision Meeting 2021, pages 301-312',
  abstract:
    'Field cameras look into tide pools at dawn and at night, when animals are active and light is scarce. Public image collections hold next to no such pictures. We present Tidepool-40, a benchmark of 48,200 images of forty kinds of intertidal organisms, taken at eleven sites between civil dusk and dawn, and we report how five models do on it. TideNet, a small network with a learned exposure layer, and its larger sibling are the best of them, yet both still err on more than a quarter of the test images.',
  sections: [
    {
      title: '1 Introduction',
      paragraphs: [
        'Counting what lives between the tide lines tells biologists how a coast is doing. Cameras can count every night of the year, people cannot. What stands in the way is recognition: models trained on daylight pictures lose a third of their accuracy when the sun has set {cite:gull}.',
        'We make three contributions: a collection of night images with labels that three annotators agree on; a protocol that keeps sites of the test set out of training; and a reference model that others can start from.',
      ],
      tables: [],
    },
    {
      title: '2 Related work',
      paragraphs: [
        'NightShore {cite:shore} holds video of beaches at night, with boxes around birds and seals but without invertebrates. KelpNet {cite:kelp} treats reflections on wet surfaces and was trained on daylight images. How many annotators are needed for reliable labels was studied by Restrepo and Ivanova {cite:label}; we follow their advice of three.',
      ],
      tables: [],
    },
    {
      title: '3 The benchmark',
      paragraphs: [
        'Images were taken with three kinds of camera at eleven sites on two coasts. Each was labelled by three annotators; 6.1% were dropped because they disagreed. The training set has 36,400 images from eight sites, the validation set 3,800 from the same sites, and the test set 8,000 from three sites that occur nowhere else. Classes are balanced in the test set, with 200 images each. We score top-1 accuracy.',
        'TideNet puts a learned exposure layer of 1,536 parameters before a convolutional trunk. The layer predicts a tone curve for each quarter of the image. TideNet-L is the same with a wider trunk.',
      ],
      tables: [],
    },
    {
      title: '4 Results',
      paragraphs: [
        'Table 1 lists all models. All were trained for 90 epochs on the training set alone. Differences below 0.6 points are within the spread of five seeds.',
        'The exposure layer is worth 4.2 points: without it, TideNet falls to 67.2. Most errors are between limpets and barnacles, and between small crabs of different kinds.',
      ],
      tables: [
        {
          caption: 'Table 1: Top-1 accuracy (%) on the two benchmarks; parameters in millions',
          header: ['Method', 'Params', 'Tidepool-40', 'NightShore'],
          rows: [
            other('ResNet-50', '25.6', '62.8', '70.1'),
            other('KelpNet [3]', '18.3', '65.9', '71.6'),
            other('PatchFormer-S [5]', '22.1', '66.4', '73.0'),
            own('TideNet', '12.7', '71.4', '74.8'),
            own('TideNet-L', '31.9', '72.9', '75.2'),
          ],
        },
      ],
    },
    {
      title: '5 Conclusion',
      paragraphs: [
        'Tidepool-40 is far from solved. We hope that it helps those who watch coasts. Images, labels and the protocol are public; the test labels are kept on a server.',
      ],
      tables: [],
    },
  ],
  references: [works.gull, works.shore, works.kelp, works.label, works.former],
  citations: [],
}

const lanternSections = (
  small: string,
  base: string,
  nightSmall: string,
  nightBase: string,
): Paper['sections'] => [
  {
    title: '1 Introduction',
    paragraphs: [
      'A model that has never seen the dark has to learn two things at once when it is trained on night images: what the objects are, and what darkness does to them {cite:gull}. We separate the two. Lantern first learns exposure from unlabelled raw images, then learns objects.',
      'Labelled night images of coastal life became available only lately. There are far more images without labels: every field camera takes some thousands a night.',
    ],
    tables: [],
  },
  {
    title: '2 Method',
    paragraphs: [
      'Lantern is pretrained by asking it which of two crops of the same raw image was exposed longer, and by how much. The tone curves that it needs to answer are kept and applied to every image afterwards; they extend learned gamma curves {cite:gamma} to regions. Pretraining takes 60 hours on eight cards and uses 2.1 million raw images without labels.',
      'Lantern-S has the trunk of PatchFormer-S {cite:former}; Lantern-B is twice as wide.',
    ],
    tables: [],
  },
  {
    title: '3 Experiments',
    paragraphs: [
      'We follow the site-disjoint protocol of Tidepool-40, in which the three test sites occur nowhere in training {cite:tidepool}. We report top-1 accuracy, the mean of five seeds. Fine-tuning takes 50 epochs. Figures of other methods are taken from their papers.',
    ],
    tables: [
      {
        caption: 'Table 1: Top-1 accuracy (%) after fine-tuning; parameters in millions',
        header: ['Method', 'Params', 'Tidepool-40', 'NightShore'],
        rows: [
          other('PatchFormer-S', '22.1', '66.4', '73.0'),
          other('TideNet', '12.7', '71.4', '74.8'),
          other('TideNet-L', '31.9', '72.9', '75.2'),
          own('Lantern-S', '23.4', small, nightSmall),
          own('Lantern-B', '88.2', base, nightBase),
        ],
      },
      {
        caption: 'Table 2: Ablation of Lantern-S on the validation set of Tidepool-40 (%)',
        header: ['Variant', 'Validation', 'Difference'],
        rows: [
          other('Full model', '80.7', '0.0'),
          other('One tone curve an image', '78.9', '-1.8'),
          other('No exposure pretraining', '73.5', '-7.2'),
        ],
      },
    ],
  },
  {
    title: '4 Discussion',
    paragraphs: [
      'What Lantern gains, it gains in the darkest quarter of the images, where accuracy rises by 11 points. On images taken at dusk it is no better than earlier models. Labels remain the bottleneck: three annotators an image are costly {cite:label}.',
    ],
    tables: [],
  },
]

const lantern: Paper = {
  key: 'lantern',
  marksOwn: true,
  fileName: 'lantern-exposure-aware-pretraining.pdf',
  title: 'Lantern: Exposure-Aware Pretraining for Recognition in the Dark',
  authors: 'Ines Valdivia, Tomas Hruby, Aiko Tanemura',
  venue: 'Transactions on Learned Systems, 14(3):201-219, 2022',
  abstract:
    'We show that a vision model can learn what darkness does to an image before it learns what is in the image. Lantern is pretrained to tell exposure times apart, on raw images without labels, and is then fine-tuned on few labelled ones. On two benchmarks of coastal life at night it improves on all earlier models, and most so on the darkest images.',
  sections: lanternSections('78.6', '81.3', '79.9', '82.4'),
  references: [works.gull, { key: 'tidepool' }, works.gamma, works.former, works.label],
  citations: [
    {
      cited: 'tidepool',
      sentence:
        'We follow the site-disjoint protocol of Tidepool-40, in which the three test sites occur nowhere in training',
      label: 'methodology',
    },
  ],
}

const reef: Paper = {
  key: 'reef',
  marksOwn: true,
  fileName: 'sparse-reefs-token-pruning-edge.pdf',
  title: 'Sparse Reefs: Token Pruning for Intertidal Recognition at the Edge',
  authors: 'Nils Oyelaran, Beatriz Cordeiro, Shen Yutong, Freya Lund',
  venue: 'Embedded Vision Letters, 5(1):1-18, 2023',
  abstract:
    'A camera that watches a tide pool for a year has the power of a bicycle lamp. We ask how few image tokens a recogniser can live with. ReefFormer drops tokens in three steps, guided by the expected gain of looking at them, and keeps its accuracy with a third of the tokens. On a board of 5 watts it looks at eleven images a second.',
  sections: [
    {
      title: '1 Introduction',
      paragraphs: [
        'Cameras in the field cannot send every image home. They have to decide on the spot, with little power {cite:edge}. Models for the dark are accurate by now but large.',
        'Exposure-aware pretraining, which learns tone curves from unlabelled raw images by comparing exposure times, made recognition in the dark accurate {cite:lantern}.',
      ],
      tables: [],
    },
    {
      title: '2 Method',
      paragraphs: [
        'Token importance has been estimated from attention {cite:prune}. In dark images attention goes to noise. ReefFormer instead predicts how much the answer would change if a token were seen, and drops the lower half of the tokens at layers 3, 6 and 9. ReefFormer-Lite has six layers and drops at 2 and 4.',
        'All models start from a public checkpoint and are fine-tuned for 40 epochs with the exposure layer frozen.',
      ],
      tables: [],
    },
    {
      title: '3 Results',
      paragraphs: [
        'Tidepool-40 is our main benchmark. Latency is measured on a board of 5 watts {cite:edge}, on single images. On Tidepool-40 ReefFormer stays 1.4 points below Lantern-B, which reached 81.3 with three times the parameters.',
        'Compared with TideNet-L, the largest model of the benchmark paper at 72.9, ReefFormer gains seven points at a quarter of its latency {cite:tidepool}.',
      ],
      tables: [
        {
          caption: 'Table 1: Top-1 accuracy (%), parameters in millions, latency in milliseconds',
          header: ['Method', 'Params', 'Latency', 'Tidepool-40', 'NightShore'],
          rows: [
            other('TideNet-L', '31.9', '362', '72.9', '75.2'),
            other('Lantern-S', '23.4', '241', '78.6', '79.9'),
            other('Lantern-B', '88.2', '910', '81.3', '82.4'),
            own('ReefFormer', '27.5', '88', '79.9', '80.6'),
            own('ReefFormer-Lite', '9.8', '37', '76.2', '77.3'),
          ],
        },
        {
          caption: 'Table 2: Share of tokens kept against validation accuracy (%) of ReefFormer',
          header: ['Tokens kept', 'Tidepool-40 (validation)', 'Latency'],
          rows: [
            other('100', '82.1', '249'),
            other('50', '82.0', '131'),
            other('33', '81.6', '88'),
            other('15', '77.4', '52'),
          ],
        },
      ],
    },
    {
      title: '4 Limits',
      paragraphs: [
        'Three sites in the test set are few. Rain on the lens confuses the gain predictor: tokens with drops look as if they were worth seeing. Labels of small crabs are doubtful even for experts.',
      ],
      tables: [],
    },
  ],
  references: [works.edge, { key: 'lantern' }, works.prune, { key: 'tidepool' }, works.gull],
  citations: [
    {
      cited: 'lantern',
      sentence:
        'Exposure-aware pretraining, which learns tone curves from unlabelled raw images by comparing exposure times, made recognition in the dark accurate',
      label: 'background',
    },
    {
      cited: 'tidepool',
      sentence:
        'Compared with TideNet-L, the largest model of the benchmark paper at 72.9, ReefFormer gains seven points at a quarter of its latency',
      label: 'result',
    },
  ],
}

export const papers: readonly Paper[] = [tidepool, lantern, reef]

/** Earlier versions of a paper, with other figures. */
export const preprints: readonly Paper[] = [
  {
    ...lantern,
    key: 'lantern-preprint',
    fileName: 'lantern-exposure-aware-pretraining-preprint-v1.pdf',
    venue: 'Preprint, version 1, October 2021. Under review; figures may change.',
    sections: lanternSections('76.1', '78.8', '78.0', '80.3'),
  },
]
