// The SDK's store restores a snapshot of a node, chunk by chunk, and takes its own of the same height:
// main <folder of the snapshot> <folder for its own> <store>...
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"

	sdklog "cosmossdk.io/log"
	"cosmossdk.io/store/metrics"
	"cosmossdk.io/store/rootmulti"
	"cosmossdk.io/store/snapshots"
	snapshottypes "cosmossdk.io/store/snapshots/types"
	"cosmossdk.io/store/types"
	dbm "github.com/cosmos/cosmos-db"
)

func must[Value any](value Value, err error) Value {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func managerOf(multistore *rootmulti.Store) *snapshots.Manager {
	store := must(snapshots.NewStore(dbm.NewMemDB(), must(os.MkdirTemp("", "snapshots"))))
	options := snapshottypes.NewSnapshotOptions(1, 2)
	return snapshots.NewManager(store, options, multistore, nil, sdklog.NewNopLogger())
}

func main() {
	from, to, stores := os.Args[1], os.Args[2], os.Args[3:]
	multistore := rootmulti.NewStore(dbm.NewMemDB(), sdklog.NewNopLogger(), metrics.NewNoOpMetrics())
	for _, name := range stores {
		multistore.MountStoreWithDB(types.NewKVStoreKey(name), types.StoreTypeIAVL, nil)
	}
	check(multistore.LoadLatestVersion())
	var snapshot snapshottypes.Snapshot
	check(snapshot.Unmarshal(must(os.ReadFile(filepath.Join(from, "snapshot.pb")))))
	manager := managerOf(multistore)
	check(manager.Restore(snapshot))
	done := false
	for index := range snapshot.Chunks {
		done = must(manager.RestoreChunk(must(os.ReadFile(filepath.Join(from, strconv.Itoa(int(index)))))))
	}
	if !done {
		log.Fatal("the last chunk does not end the restore")
	}
	commit := multistore.LastCommitID()
	fmt.Printf("{\"height\":%d,\"appHash\":\"%x\"}\n", commit.Version, commit.Hash)

	// The manager that has restored a snapshot keeps it as its own.
	manager = managerOf(multistore)
	own := must(manager.Create(snapshot.Height))
	folder := filepath.Join(to, strconv.FormatUint(own.Height, 10))
	check(os.MkdirAll(folder, 0o700))
	for index := range own.Chunks {
		chunk := must(manager.LoadChunk(own.Height, own.Format, index))
		check(os.WriteFile(filepath.Join(folder, strconv.Itoa(int(index))), chunk, 0o600))
	}
	check(os.WriteFile(filepath.Join(folder, "snapshot.pb"), must(own.Marshal()), 0o600))
}
