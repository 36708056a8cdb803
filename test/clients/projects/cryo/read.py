"""Reads blocks with cryo into files of JSON; prints each dataset with the number of its rows, or its failure."""
import glob
import json
import sys

import cryo

rpc, last, *datasets = sys.argv[1:]
for dataset in datasets:
    folder = f'read-{dataset}'
    try:
        cryo.freeze(
            dataset,
            blocks=[f'1:{last}'],
            rpc=rpc,
            output_dir=folder,
            json=True,
            hex=True,
            reorg_buffer=0,
            no_verbose=True,
        )
        rows = sum(len(json.load(open(file))) for file in glob.glob(f'{folder}/*.json'))
        print(f'rows {dataset} {rows}', flush=True)
    except Exception as error:
        print(f'failed {dataset} {error}', flush=True)
